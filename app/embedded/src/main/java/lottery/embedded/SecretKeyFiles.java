package lottery.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys that seal secrets in the database: those of seeds, of codes and of persons. They are kept as long as the
 * database. With another key for seeds, for example, draws in a running activity would fail.
 */
final class SecretKeyFiles {

    private static final String NAME = "local";
    private static final int BYTES = 32;

    private SecretKeyFiles() {}

    /**
     * Returns the keys as settings of the application. Keys are created only before the database is first used. After
     * that a missing key is refused, because a new one would not open what the missing one has sealed.
     */
    static Map<String, String> properties(DataFolder folder, boolean begun) throws IOException {
        for (Path key : List.of(folder.seedKey(), folder.codeKey(), folder.personKey())) {
            if (!Files.exists(key)) {
                if (begun) {
                    throw new EmbeddedServersFailedException(
                            "The database in %s has secrets that are sealed with a key, and the key is gone: put %s back, or delete the folder %s to begin anew."
                                    .formatted(folder.postgres(), key, folder.path()));
                }
                make(key);
            }
        }
        return Map.of(
                "lottery.seeds.keys." + NAME,
                read(folder.seedKey()),
                "lottery.seeds.current-key",
                NAME,
                "lottery.codes.keys." + NAME,
                read(folder.codeKey()),
                "lottery.codes.current-key",
                NAME,
                "lottery.persons.keys." + NAME,
                read(folder.personKey()),
                "lottery.persons.current-key",
                NAME);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, US_ASCII).strip();
    }

    /**
     * Creates the file. From the first byte on, only the current user can read it. It is created completely or not at
     * all.
     */
    private static void make(Path file) throws IOException {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        Path half = file.resolveSibling(file.getFileName() + ".half");
        Files.deleteIfExists(half);
        try (var channel = FileChannel.open(
                half, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), itsUsersAlone())) {
            channel.write(US_ASCII.encode(Base64.getEncoder().encodeToString(key)));
            channel.force(true);
        }
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static FileAttribute<?>[] itsUsersAlone() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
