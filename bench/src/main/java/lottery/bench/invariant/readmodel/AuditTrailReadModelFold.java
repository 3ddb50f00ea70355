package lottery.bench.invariant.readmodel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds a row for each decision of a person. Such decisions are events with an actor in their metadata. */
public final class AuditTrailReadModelFold implements ReadModelFold {

    private static final Set<String> FAMILIES =
            Set.of("activity", "strategy", "tree", "user", "person", "rule", "proposal");

    @Override
    public String table() {
        return "view_audit";
    }

    @Override
    public String sql() {
        return "SELECT concat_ws('#', subject, sequence), sequence, type, actor, role, trace_id, "
                + MOMENT_SQL.formatted("at") + " AS at FROM view_audit";
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        String family = event.name().substring(0, event.name().indexOf('.'));
        if (!FAMILIES.contains(family)) {
            return List.of();
        }
        ParsedEventPayload metadata = event.metadata().get();
        if (!metadata.has("actor")) {
            return List.of();
        }
        return List.of(new FoldedRow(
                event.stream() + "#" + event.sequence(),
                event.sequence(),
                Map.of(
                        "type",
                        event.name(),
                        "actor",
                        metadata.text("actor"),
                        "role",
                        metadata.has("role") ? metadata.text("role") : NOTHING,
                        "trace_id",
                        metadata.has("traceId") ? metadata.text("traceId") : NOTHING,
                        "at",
                        ReadModelFold.moment(event.at()))));
    }
}
