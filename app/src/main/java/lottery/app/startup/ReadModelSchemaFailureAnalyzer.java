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
                "The tables of the read models are not as this version reads them: " + cause.getMessage(),
                "Start the version that migrated this database last. A column that was changed by hand is put back by hand;"
                        + " what was in it comes back with POST /api/v1/ops/projections/<name>/replay.",
                cause);
    }
}
