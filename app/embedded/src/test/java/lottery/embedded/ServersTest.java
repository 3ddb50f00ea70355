package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServersTest {
    @Test
    void allAnswerAndDataIsThereAfterARestart(@TempDir Path data) {
        for (int i = 0; i < 3; i++) {
            long a = System.nanoTime();
            EmbeddedServers servers = EmbeddedServers.start(new EmbeddedSettings(
                    data.resolve("d"),
                    EnumSet.allOf(EmbeddedServer.class),
                    Map.of(EmbeddedServer.POSTGRES, 0, EmbeddedServer.REDIS, 0, EmbeddedServer.KAFKA, 0),
                    true));
            long b = System.nanoTime();
            assertThat(servers.properties()).hasSize(5);
            servers.close();
            System.out.println("start " + (b - a) / 1_000_000 + " stop " + (System.nanoTime() - b) / 1_000_000);
        }
    }
}
