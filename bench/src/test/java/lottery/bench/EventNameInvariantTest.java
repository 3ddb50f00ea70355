package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.bench.invariant.InvariantVerdict;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Names: every event is known and readable")
class EventNameInvariantTest extends CheckedHistory {

    private static final Path APPROVED_EVENTS = Path.of("../shared-api/src/test/resources/events");

    @Test
    @DisplayName("An unknown event is a violation, in whichever stream it is")
    void inAnyStream() throws SQLException {
        for (String stream : List.of("order:zz-1", "award:", "account", ":", "3e", "unheard:17:of")) {
            history.clear();
            history.event(stream, 0, "unheard.of", "{}");
            assertThat(violated(IN_FLIGHT)).containsEntry("names", "event 1, unheard.of, is not known to the checker");
            assertThat(verdict("names", IN_FLIGHT).checked()).isOne();
            assertThat(verdict("order", IN_FLIGHT).checked()).isOne();
        }
    }

    @Test
    @DisplayName("Every approved event is known to the checker")
    void knowsEveryApprovedEvent() throws Exception {
        history.clear();
        List<Path> documents;
        try (Stream<Path> files = Files.list(APPROVED_EVENTS)) {
            documents = files.sorted().toList();
        }
        for (Path document : documents) {
            String revision = document.getFileName().toString().replaceFirst("\\.json$", "");
            String name = revision.replaceFirst("\\.v\\d+$", "");
            history.event(revision, 0, name, Files.readString(document).strip());
        }
        InvariantVerdict names =
                InvariantChecker.check(database, IN_FLIGHT).verdicts().getFirst();
        assertThat(names.first()).isEmpty();
        assertThat(names.checked()).isEqualTo(documents.size()).isPositive();
    }

    @Test
    @DisplayName("An unknown event violates no other invariant")
    void violatedByAnEventThatIsNotKnown() throws SQLException {
        history.event("coupon:1", 0, "coupon.torn", "{}");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry("names", "event 93, coupon.torn, is not known to the checker"));
    }

    @Test
    @DisplayName("A payload that is not JSON is a violation")
    void violatedByAPayloadThatIsNotJson() throws SQLException {
        history.event("tree:1", 0, "tree.defined", "<tree/>");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry("names", "event 93, tree.defined, has a payload that is no JSON object"));
    }

    @Test
    @DisplayName("A field that is missing or of another kind is a violation")
    void violatedByAFieldThatIsMissing() throws SQLException {
        history.event(AccountEvents.ANN, 3, "account.recharged", """
                {"activityId":100,"userId":"ann","bundle":{"total":1,"month":"many"}}""");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("names", "event 93, account.recharged, has no whole number in bundle.month"));
    }
}
