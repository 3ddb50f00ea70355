package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.FeedFixture.LIMIT;
import static lottery.saga.FeedFixture.header;
import static lottery.saga.TopicReader.headersOf;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@Tag("trial")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The feed goes on where it was after a restart, and never begins anew by itself.")
class FeedRestartTest {

    @AutoClose
    private final FeedFixture feed;

    FeedRestartTest(FeedFixture feed) {
        this.feed = feed;
    }

    @Test
    @DisplayName("After a crash the same messages are published again, with the same content and the same ids.")
    void crashed() throws Exception {
        List<String> ids =
                List.of(feed.spend(feed.user, "one"), feed.spend(feed.user, "two"), feed.spend(feed.user, "three"));
        List<ConsumerRecord<String, byte[]>> first = feed.awaitAbout(feed.user.value(), 3);
        await("the token").atMost(LIMIT).until(() -> tokenOf() >= Long.parseLong(header(first.get(2), "ce_sequence")));

        feed.processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(feed.database
                        .sql("UPDATE token SET token = to_jsonb(?::bigint) WHERE processor = 'feed'")
                        .param(Long.parseLong(header(first.getFirst(), "ce_sequence")) - 1)
                        .update())
                .isPositive();
        feed.processor.start();

        List<ConsumerRecord<String, byte[]>> all = feed.awaitAbout(feed.user.value(), 6);
        assertThat(all)
                .extracting(message -> header(message, "ce_id"))
                .containsExactlyElementsOf(
                        Stream.of(ids, ids).flatMap(List::stream).toList());
        for (int i = 0; i < 3; i++) {
            assertThat(headersOf(all.get(i + 3))).isEqualTo(headersOf(all.get(i)));
            assertThat(textOf(all.get(i + 3))).isEqualTo(textOf(all.get(i)));
        }
    }

    private long tokenOf() {
        return feed.database
                .sql("SELECT token::text::bigint FROM token WHERE processor = 'feed'")
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("A replay does not publish the feed again.")
    void noReplay() throws Exception {
        assertThat(feed.processor.supportsReset()).isFalse();
        feed.processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(feed.processor::resetTokens)
                    .withMessageContaining("cannot begin anew");
        } finally {
            feed.processor.start();
        }
        List<String> ids = List.of(feed.spend(feed.user, "later"));
        feed.awaitNews(feed.user.value(), ids);
    }

    @Test
    @DisplayName("The feed begins with new events only, if an operator follows the steps on its page.")
    void fromNowOn() throws Exception {
        String page = Files.readString(Path.of("../docs/events.md"));
        Matcher statement = Pattern.compile("INSERT INTO token [^`]*").matcher(page);
        assertThat(statement.find()).isTrue();
        feed.processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        feed.database.sql("DELETE FROM token WHERE processor = 'feed'").update();
        feed.spend(feed.user, "before");
        assertThat(feed.database.sql(statement.group()).update()).isEqualTo(1);
        feed.processor.start();

        feed.awaitNews(feed.user.value(), List.of(feed.spend(feed.user, "after")));
    }

    @Test
    @DisplayName("The program on the page handles each message once, also when it is killed and reads some again.")
    void program(@TempDir Path folder) throws Exception {
        PageProgram program = PageProgram.compiledIn(folder, feed.servers);
        List<String> ids = new ArrayList<>();
        Process running = program.start();
        try {
            ids.addAll(IntStream.range(0, 5)
                    .mapToObj(i -> feed.spend(feed.user, "first-" + i))
                    .toList());
            await("the first five")
                    .atMost(LIMIT)
                    .failFast(() -> program.assertRuns(running))
                    .until(() -> seenBy(program).containsAll(ids));
        } finally {
            running.destroyForcibly().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        List<ConsumerRecord<String, byte[]>> told = feed.awaitAbout(feed.user.value(), 5);
        feed.processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        feed.database
                .sql("UPDATE token SET token = to_jsonb(?::bigint) WHERE processor = 'feed'")
                .param(Long.parseLong(header(told.getFirst(), "ce_sequence")) - 1)
                .update();
        feed.processor.start();
        feed.awaitAbout(feed.user.value(), 10);
        ids.add(feed.spend(feed.user, "last"));

        Process again = program.start();
        try {
            await("the last one")
                    .atMost(LIMIT)
                    .failFast(() -> program.assertRuns(again))
                    .until(() -> seenBy(program).contains(ids.getLast()));
        } finally {
            again.destroyForcibly().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(seenBy(program)).filteredOn(ids::contains).isEqualTo(ids);
        assertThat(seenBy(program)).doesNotHaveDuplicates();
    }

    private static List<String> seenBy(PageProgram program) throws Exception {
        Path book = program.book();
        return Files.exists(book)
                ? Files.readAllLines(book, UTF_8).stream()
                        .map(line -> line.split(" ", 2)[0])
                        .toList()
                : List.of();
    }
}
