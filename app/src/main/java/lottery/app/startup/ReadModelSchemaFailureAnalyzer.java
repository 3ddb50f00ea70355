package lottery.app.startup;

import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.jdbc.BadSqlGrammarException;

/**
 * Says which read model table differs from the structure that this version reads. Hibernate finds it for the tables of
 * entities, PostgreSQL for the others.
 */
final class ReadModelSchemaFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case SchemaManagementException unfit -> {
                    return analysis(unfit.getMessage(), unfit);
                }
                case BadSqlGrammarException unfit -> {
                    String[] lines = String.valueOf(unfit.getMostSpecificCause().getMessage())
                            .split("\n", 2);
                    return analysis(lines[0] + " in: " + unfit.getSql(), unfit);
                }
                default -> {}
            }
        }
        return null;
    }

    private static FailureAnalysis analysis(@Nullable String difference, Throwable cause) {
        return new FailureAnalysis(
                "The tables of the read models do not fit this version: " + difference,
                "Start the version that migrated this database last. If a column was changed by hand, change it back by hand."
                        + " POST /api/v1/ops/projections/<name>/replay then fills it again.",
                cause);
    }
}
