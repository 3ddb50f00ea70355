package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Key files of an embedded run")
class SecretKeyFilesTest {

    @Test
    @DisplayName("Each key is created once, is readable by its user alone, and lives as long as the data")
    void once(@TempDir Path data) throws IOException {
        try (DataFolder folder = DataFolder.own(data)) {
            Map<String, String> made = SecretKeyFiles.properties(folder, false);

            List<String> keys = Stream.of("seeds", "codes", "persons")
                    .map(kind -> made.get("lottery." + kind + ".keys.local"))
                    .toList();
            assertThat(keys)
                    .doesNotHaveDuplicates()
                    .allSatisfy(
                            key -> assertThat(Base64.getDecoder().decode(key)).hasSize(32));
            assertThat(files(folder))
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
            assertThat(SecretKeyFiles.properties(folder, true)).isEqualTo(made);

            folder.empty();
            assertThat(files(folder)).allSatisfy(file -> assertThat(file).doesNotExist());
            assertThat(SecretKeyFiles.properties(folder, false)).isNotEqualTo(made);
        }
    }

    @ParameterizedTest(name = "No new {0} is created for a database whose secrets the missing one has sealed")
    @ValueSource(strings = {"seed.key", "code.key", "person.key"})
    void gone(String name, @TempDir Path data) throws IOException {
        try (DataFolder folder = DataFolder.own(data)) {
            SecretKeyFiles.properties(folder, false);
            Path missing = data.resolve(name);
            Files.delete(missing);

            assertThatThrownBy(() -> SecretKeyFiles.properties(folder, true))
                    .isInstanceOf(EmbeddedServersFailedException.class)
                    .hasMessageContaining("put %s back", missing);
            assertThat(missing).doesNotExist();
        }
    }

    private static List<Path> files(DataFolder folder) {
        return List.of(folder.seedKey(), folder.codeKey(), folder.personKey());
    }
}
