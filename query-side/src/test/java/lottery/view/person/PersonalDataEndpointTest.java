package lottery.view.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.person.PersonId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.store.vault.PersonalTexts;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnStage
@DisplayName("What is kept about a person")
class PersonalDataEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final UserId ANN = new UserId("ann-as-a-person");
    private static final Address HERE = new Address("Ann", "1", "1 High Street", "10115", null);
    private static final Address THERE = new Address("Ann", "1", "2 High Street", null, "Ring");

    private final JsonMapper json = new JsonMapper();
    private final MockMvcTester mvc;
    private final Script script;
    private final PersonalTexts texts;

    @Autowired
    PersonalDataEndpointTest(MockMvcTester mvc, Script script, PersonalTexts texts) {
        this.mvc = mvc;
        this.script = script;
        this.texts = texts;
    }

    private AwardRecordId parcel(ActivityId activity, String key) {
        AwardRecordId id = AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(activity, ANN), key).id());
        Prize prize = new Prize(1, "Bicycle", AwardType.PHYSICAL, 1, null);
        script.happens(
                id,
                new AwardWon(
                        id,
                        activity,
                        ANN,
                        prize,
                        false,
                        null,
                        Map.of(),
                        GrantTime.AT_ONCE,
                        Remedy.MANUAL,
                        null,
                        Instant.parse("2026-03-31T04:00:00Z"),
                        null));
        return id;
    }

    private JsonNode person() throws UnsupportedEncodingException {
        return person(ANN);
    }

    private JsonNode person(UserId userId) throws UnsupportedEncodingException {
        return json.readTree(mvc.get()
                .uri("/api/v1/users/" + userId + "/person")
                .exchange()
                .getResponse()
                .getContentAsString());
    }

    @Test
    @DisplayName("A text that cannot be read is left out, and hides no other one.")
    void unreadable() throws Exception {
        UserId bob = new UserId("bob-as-a-person");
        BanId ban = new BanId(bob);
        script.happens(ban, new UserBanned(bob, null, texts.seal(bob.value(), "elsewhere", "Fraud")));
        script.happens(ban, new UserBanned(bob, null, texts.seal(bob.value(), ban.text(), "Noise")));
        assertThat(person(bob).path("bans").valueStream())
                .extracting(each -> each.path("reason").asString("-") + each.path("erased"))
                .containsExactly("Noisefalse", "-false");
    }

    @Test
    @DisplayName("The newest 1,000 bans are shown, the newest first.")
    void newest() throws Exception {
        UserId carl = new UserId("carl-as-a-person");
        for (int i = 0; i <= 1_000; i++) {
            script.happens(
                    new BanId(carl),
                    new UserBanned(carl, null, texts.seal(carl.value(), new BanId(carl).text(), "Reason " + i)));
        }
        assertThat(person(carl).path("bans").size()).isEqualTo(1_000);
        assertThat(person(carl).at("/bans/0/reason").asString()).isEqualTo("Reason 1000");
        assertThat(person(carl).at("/bans/999/reason").asString()).isEqualTo("Reason 1");
    }

    @Test
    @DisplayName("Sealed texts are shown until the person is erased.")
    void shown() throws Exception {
        ActivityId activity = script.activity();
        for (Address address : List.of(HERE, THERE)) {
            AwardRecordId parcel = parcel(activity, address.address());
            script.happens(
                    parcel, new AwardClaimed(parcel, ANN, texts.seal(ANN.value(), parcel.text(), address.text())));
        }
        parcel(activity, "unclaimed");
        BanId ban = new BanId(ANN);
        script.happens(ban, new UserBanned(ANN, null, texts.seal(ANN.value(), ban.text(), "Fraud")));
        await().atMost(SOON).until(() -> person().path("claims").size() == 2);

        assertThat(person().path("claims").valueStream())
                .extracting(claim -> claim.at("/address/address").asString())
                .containsExactlyInAnyOrder("1 High Street", "2 High Street");
        assertThat(person().at("/bans/0/reason").asString()).isEqualTo("Fraud");

        PersonId id = new PersonId(ANN);
        String keyId = texts.keyOf(ANN.value()).orElseThrow();
        texts.erase(ANN.value(), keyId);
        script.happens(id, new PersonErased(ANN, keyId, "dora", "dan", "Request 17"));
        assertThat(person().path("claims").valueStream())
                .extracting(claim -> claim.at("/address/address").asString("-") + claim.path("erased"))
                .containsExactly("-true", "-true");
        assertThat(person().at("/bans/0/reason").isString()).isFalse();
        assertThat(person().at("/bans/0/erased").asBoolean()).isTrue();
        assertThat(person().path("activities").isEmpty()).isTrue();
    }
}
