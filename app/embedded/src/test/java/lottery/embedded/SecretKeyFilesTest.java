package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Key for seeds")
class SecretKeyFilesTest {

    @Test
    @DisplayName("The key for seeds is created once, is readable by its user alone, and lives as long as the data")
    void once(@TempDir Path data) throws IOException {
        try (DataFolder folder = DataFolder.own(data)) {
            Map<String, String> made = SecretKeyFiles.properties(folder, false);
            assertThat(made).containsEntry("lottery.seeds.current-key", "local");
            assertThat(Base64.getDecoder().decode(made.get("lottery.seeds.keys.local")))
                    .hasSize(32);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.seedKey())))
                    .isEqualTo("rw-------");

            assertThat(made.get("lottery.persons.keys.local")).isNotEqualTo(made.get("lottery.seeds.keys.local"));
            assertThat(SecretKeyFiles.properties(folder, false)).isEqualTo(made);

            assertThat(made.get("lottery.codes.keys.local")).isNotEqualTo(made.get("lottery.seeds.keys.local"));

            // The data of an earlier version has a key for seeds alone.
            Files.delete(folder.codeKey());
            Files.delete(folder.personKey());
            assertThat(SecretKeyFiles.properties(folder, true))
                    .containsEntry("lottery.seeds.keys.local", made.get("lottery.seeds.keys.local"))
                    .containsEntry("lottery.codes.current-key", "local")
                    .containsEntry("lottery.persons.current-key", "local");

            folder.empty();
            assertThat(folder.seedKey()).doesNotExist();
            assertThat(SecretKeyFiles.properties(folder, false)).isNotEqualTo(made);
        }
    }

    @Test
    @DisplayName("No new key is created for a database whose seeds another key has sealed")
    void gone(@TempDir Path data) throws IOException {
        try (DataFolder folder = DataFolder.own(data)) {
            assertThatThrownBy(() -> SecretKeyFiles.properties(folder, true))
                    .isInstanceOf(ServersRefused.class)
                    .hasMessageContaining("seed.key");
            assertThat(folder.seedKey()).doesNotExist();
        }
    }
}
