package lottery.view.entitlement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementEvent.EntitlementRevoked;
import lottery.api.entitlement.EntitlementId;
import lottery.api.entitlement.EntitlementPage;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.entitlement.EntitlementReader.FindEntitlements;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The entitlements of a user over REST")
class EntitlementsEndpointTest {

    private static final String PATH = "/api/v1/users/{user}/entitlements";
    private static final AtomicLong USERS = new AtomicLong();

    private final MockMvcTester mvc;
    private final Script script;
    private final EntitlementReader entitlements;

    /** Each test has its own user. */
    private final UserId user = new UserId("reader-" + USERS.incrementAndGet());

    @Autowired
    EntitlementsEndpointTest(MockMvcTester mvc, Script script, EntitlementReader entitlements) {
        this.mvc = mvc;
        this.script = script;
        this.entitlements = entitlements;
    }

    private void granted(String content, String source, boolean first) {
        ContentId contentId = new ContentId(content);
        script.happens(EntitlementId.of(user, contentId), new EntitlementGranted(user, contentId, source, first));
    }

    private void revoked(String content, String source, boolean last) {
        ContentId contentId = new ContentId(content);
        script.happens(EntitlementId.of(user, contentId), new EntitlementRevoked(user, contentId, source, last));
    }

    private EntitlementPage page(@Nullable String cursor, int limit) {
        return entitlements.answer(new FindEntitlements(user, null, cursor, limit));
    }

    private static List<String> contents(EntitlementPage page) {
        return page.items().stream().map(each -> each.contentId().value()).toList();
    }

    private void awaitContents(String... contents) {
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(contents(page(null, 10))).containsExactly(contents));
    }

    @Test
    @DisplayName("Content is listed from its first source to the end of its last one.")
    void fromFirstToLast() {
        granted("course", "recharge:1", true);
        awaitContents("course");
        String before = text();
        granted("course", "award:1", false);
        revoked("course", "recharge:1", false);
        granted("article", "recharge:2", true);
        awaitContents("article", "course");
        assertThat(before).contains("\"contentId\":\"course\"").contains("\"grantedAt\":\"");
        assertThat(text()).contains(before.substring(before.indexOf("\"contentId\""), before.indexOf("}")));
        revoked("course", "award:1", true);
        awaitContents("article");
        granted("course", "recharge:3", true);
        awaitContents("course", "article");
    }

    private String text() {
        return new String(mvc.get().uri(PATH, user).exchange().getResponse().getContentAsByteArray(), UTF_8);
    }

    @Test
    @DisplayName("A list comes page by page, the newest first.")
    void pages() {
        granted("one", "recharge:1", true);
        granted("two", "recharge:2", true);
        granted("three", "recharge:3", true);
        awaitContents("three", "two", "one");
        assertThat(contents(entitlements.answer(new FindEntitlements(user, new ContentId("two"), null, 2))))
                .containsExactly("two");
        assertThat(contents(entitlements.answer(new FindEntitlements(user, new ContentId("four"), null, 2))))
                .isEmpty();
        EntitlementPage first = page(null, 2);
        assertThat(contents(first)).containsExactly("three", "two");
        EntitlementPage second = page(first.next(), 2);
        assertThat(contents(second)).containsExactly("one");
        assertThat(second.next()).isNull();
    }

    @Test
    @DisplayName("A user without content has an empty list, and an invalid cursor is refused.")
    void nothing() {
        assertThat(mvc.get().uri(PATH, user).exchange()).bodyJson().isStrictlyEqualTo("""
                        {"items": [], "next": null}""");
        assertThat(mvc.get().uri(PATH + "?cursor=none", user)).hasStatus(HttpStatus.BAD_REQUEST);
    }
}
