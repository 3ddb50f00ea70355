package lottery.app.startup;

import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which read model table differs from the structure that this version reads. */
final class ReadModelSchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaManagementException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SchemaManagementException cause) {
        return new FailureAnalysis(
                "The tables of the read models do not fit this version: " + cause.getMessage(),
                "Start the version that migrated this database last. If a column was changed by hand, change it back by hand."
                        + " POST /api/v1/ops/projections/<name>/replay then fills it again.",
                cause);
    }
}
