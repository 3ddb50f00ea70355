package lottery.saga;

import static lottery.saga.DeskClient.because;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The desk refuses invalid lists and requests about things that do not exist.")
class DeskRefusalsTest {

    private final DeskClient desk;

    DeskRefusalsTest(DeskClient desk) {
        this.desk = desk;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/parked-events", "/sagas", "/dead-letters", "/decisions", "/grants?waitsFor=person"})
    @DisplayName("Invalid limits and cursors are refused.")
    void lists(String list) {
        String and = list.contains("?") ? "&" : "?";
        for (String wrong : List.of(
                "limit=0",
                "limit=101",
                "limit=-1",
                "limit=many",
                "cursor=x",
                "cursor=AAAA",
                "cursor=%00",
                "cursor=LTEKMQoxCjE",
                "cursor=OTIyMzM3MjAzNjg1NDc3NTgwOAo",
                "cursor=" + "A".repeat(2_000))) {
            assertThat(desk.asked(list + and + wrong)).as(wrong).hasStatus(400);
        }
        assertThat(desk.get(list + and + "limit=100").isObject()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/parked-events?processor=nobody, 404",
        "/parked-events?processor=%00, 404",
        "/parked-events?processor=%27%3B--, 404",
        "/parked-events?sequence=a%00b, 400",
        "/parked-events?dropped=perhaps, 400",
        "/dead-letters?topic=lottery_events, 400",
        "/dead-letters?state=GONE, 400",
        "/grants, 400",
        "/grants?waitsFor=nothing, 400",
        "/sagas?kind=%00, 400",
    })
    @DisplayName("Requests for unknown things are refused.")
    void questions(String question, int status) {
        assertThat(desk.asked(question)).hasStatus(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/parked-events/grants/999999999", "/dead-letters/999999999"})
    @DisplayName("A drop without a proper reason, or of something that does not exist, is refused.")
    void reasons(String place) {
        for (String wrong : List.of(
                "{}",
                because(""),
                because("  "),
                because("x".repeat(501)),
                because("a\\u0000b"),
                because("a\\nb"),
                because("a\\u001b[2Jb"),
                "reason",
                "")) {
            assertThat(desk.posted(place + "/drop", wrong)).as(wrong).hasStatus(400);
        }
        assertThat(desk.posted(place + "/drop", because("x".repeat(500)))).hasStatus(404);
        assertThat(desk.posted(place + "/retry", "")).hasStatus(404);
    }

    @ParameterizedTest
    @CsvSource({
        "/parked-events/%00/1/retry, 404",
        "/parked-events/grants/first/retry, 400",
        "/dead-letters/first/retry, 400",
        "/sagas/grant/a%00b/retry, 404",
        "/sagas/nothing/award:1/retry, 404",
        "/award-records/award:1/release, 400",
    })
    @DisplayName("A retry of something that does not exist is refused.")
    void retries(String place, int status) {
        assertThat(desk.posted(place)).hasStatus(status);
    }
}
