package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.stage.OnStage;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.SharedProcessor;
import org.axonframework.config.EventProcessingConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@OnStage
@DisplayName("The read models")
class ReadModelRegistryTest {

    private final ReadModelRegistry readModels;
    private final SharedProcessor shared;
    private final EventProcessingConfiguration processing;
    private final ProcessorPositionAwaiter positionAwaiter;

    @Autowired
    ReadModelRegistryTest(
            ReadModelRegistry readModels,
            SharedProcessor shared,
            EventProcessingConfiguration processing,
            ProcessorPositionAwaiter positionAwaiter) {
        this.readModels = readModels;
        this.shared = shared;
        this.processing = processing;
        this.positionAwaiter = positionAwaiter;
    }

    @Test
    @DisplayName("follow the log with two processors: one for PostgreSQL, and one for Redis")
    void processors() {
        Set<String> all =
                Stream.concat(shared.groups().stream(), Stream.of("redis")).collect(Collectors.toSet());
        assertThat(readModels.names()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(positionAwaiter.groups()).containsAll(all);
        assertThat(processing.eventProcessors().keySet())
                .contains(shared.name(), "redis")
                .doesNotContainAnyElementsOf(shared.groups());
    }
}
