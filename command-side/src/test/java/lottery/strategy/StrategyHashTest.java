package lottery.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The hash of a strategy")
class StrategyHashTest {

    private static StrategyDefinition definition(String rate, Map<String, String> config) {
        AwardDefinition tea = AwardDefinition.of(101, "Tea", AwardType.TEXT, new BigDecimal(rate))
                .config(config)
                .sort(1)
                .build();
        return StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(tea), null);
    }

    /** It is stored for ever: another hash of the same definition would look like another definition. */
    @Test
    @DisplayName("Equal definitions have the same hash, now and later.")
    void stable() {
        assertThat(StrategyHash.of(definition("0.0000001", Map.of("text", "Hot", "a", "b"))))
                .isEqualTo(StrategyHash.of(definition("0.0000001", Map.of("a", "b", "text", "Hot"))))
                .isEqualTo("000e3aaff7c2d9541d7c4b280c74db11223852b16340e598c8e234df2672c63c");
    }

    @Test
    @DisplayName("Each change of odds or awards changes it.")
    void differs() {
        String hash = StrategyHash.of(definition("0.5", Map.of()));
        assertThat(StrategyHash.of(definition("0.4", Map.of()))).isNotEqualTo(hash);
        assertThat(StrategyHash.of(definition("0.5", Map.of("text", "Hot")))).isNotEqualTo(hash);
    }
}
