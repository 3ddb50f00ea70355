package lottery.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The folder that holds all files of the servers. One process owns it at a time.
 *
 * <p>The owner holds a file lock of the operating system, which is released whenever the process ends, even by a kill.
 * A stored process id would not be enough, because another program may have the same id later.
 */
final class DataFolder implements AutoCloseable {

    /**
     * The free space that a start requires. Binaries, an empty database and an empty broker take about 200 MB. With
     * less free space than required, the servers would fail within minutes.
     */
    static final long SPACE_MIN_BYTES = 1L << 30;

    static final String LAYOUT = "9";

    /**
     * The names of the servers' files and folders, beside the folders of PostgreSQL servers. Nothing else is deleted
     * when the folder is emptied.
     */
    private static final List<String> OURS = List.of(
            "redis",
            "kafka",
            "programs",
            "logs",
            "seed.key",
            "seed.key.half",
            "code.key",
            "code.key.half",
            "person.key",
            "person.key.half",
            "version",
            "owner",
            "lock");

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Takes possession of an existing folder. */
    static DataFolder own(Path path) {
        DataFolder folder = new DataFolder(path, locked(path));
        try {
            Files.writeString(
                    path.resolve("owner"), Long.toString(ProcessHandle.current().pid()));
        } catch (IOException cause) {
            folder.close();
            throw unwritable(path, cause);
        }
        return folder;
    }

    Path path() {
        return path;
    }

    /** Returns the folder of a server's data. */
    Path of(ServerInstance server) {
        return path.resolve(server.word());
    }

    Path postgres() {
        return of(ServerInstance.first(EmbeddedServerKind.POSTGRES));
    }

    /** Returns the folders of all PostgreSQL servers that there can be, that of the home log first. */
    List<Path> databases() {
        return IntStream.range(0, EmbeddedSettings.DATABASES_MAX)
                .mapToObj(index -> of(new ServerInstance(EmbeddedServerKind.POSTGRES, index)))
                .toList();
    }

    Path seedKey() {
        return path.resolve("seed.key");
    }

    Path codeKey() {
        return path.resolve("code.key");
    }

    Path personKey() {
        return path.resolve("person.key");
    }

    Path redis() {
        return path.resolve("redis");
    }

    Path kafka() {
        return path.resolve("kafka");
    }

    /**
     * Returns the folder that the servers' archives are unpacked to. It is never the data folder itself, see
     * {@link PostgresServer}.
     */
    Path programs() {
        return path.resolve("programs");
    }

    Path log(ServerInstance server) {
        return path.resolve("logs").resolve(server.word() + ".log");
    }

    /**
     * Refuses data of another version and too little space, and creates the subfolders. Without this check a server
     * would fail in the middle of the start, with an error message of its own.
     */
    void requireUsable(long spaceMinBytes) {
        try {
            Path version = path.resolve("version");
            if (Files.exists(version)) {
                requireSame("layout", Files.readString(version).strip(), LAYOUT);
            }
            for (Path database : databases()) {
                Path postgresVersion = database.resolve("PG_VERSION");
                if (Files.exists(postgresVersion)) {
                    requireSame("PostgreSQL", Files.readString(postgresVersion).strip(), PostgresServer.VERSION);
                }
            }
            long free = Files.getFileStore(path).getUsableSpace();
            if (free < spaceMinBytes) {
                throw new EmbeddedServersFailedException(
                        "Only %d MiB are free for %s, and %d MiB are needed; free some or set lottery.data to a folder on another disk."
                                .formatted(free >> 20, path, spaceMinBytes >> 20));
            }
            Files.writeString(version, LAYOUT);
            for (String name : List.of("redis", "kafka", "programs", "logs")) {
                Files.createDirectories(path.resolve(name));
            }
            PostgresServer.discardHalfUnpacked(programs());
        } catch (IOException cause) {
            throw unwritable(path, cause);
        }
    }

    /** Deletes all files of the servers except the lock, which is still needed. */
    void empty() {
        try {
            for (Path database : databases()) {
                delete(database);
            }
            for (String name : OURS) {
                if (!name.equals("lock")) {
                    delete(path.resolve(name));
                }
            }
        } catch (IOException cause) {
            throw unwritable(path, cause);
        }
    }

    /** Empties the folder, releases it, and deletes it unless it contains other files. */
    void deleteAndClose() {
        try {
            empty();
            Files.deleteIfExists(path.resolve("lock"));
            try (Stream<Path> rest = Files.list(path)) {
                if (rest.findAny().isEmpty()) {
                    Files.delete(path);
                }
            }
        } catch (IOException cause) {
            throw unwritable(path, cause);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path.resolve("owner"));
            lock.close();
        } catch (IOException ignored) {
            // Both failures do no harm. The lock is released at the latest when the process ends. The file with the
            // owner's process id is read only while the lock is held.
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (UncheckedIOException cause) {
            throw cause.getCause();
        }
    }

    private void requireSame(String what, String found, String expected) {
        if (!found.equals(expected)) {
            throw new EmbeddedServersFailedException(
                    "The data in %s was written by another version (%s %s, expected %s); delete the folder to begin anew, or set lottery.data to another one."
                            .formatted(path, what, found, expected));
        }
    }

    /**
     * Creates the folder if it does not exist. Only the current user may access it, because programs in it are
     * executed.
     *
     * @return the path without links; servers that outlived their process are recognised by this path
     */
    static Path create(Path data) {
        Path absolute = data.toAbsolutePath().normalize();
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        try {
            Path parent = absolute.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (!Files.isDirectory(absolute)) {
                Files.createDirectory(absolute, attributes);
            }
            return absolute.toRealPath();
        } catch (IOException cause) {
            throw unwritable(absolute, cause);
        }
    }

    private static FileChannel locked(Path path) {
        try {
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (holds(channel)) {
                return channel;
            }
            channel.close();
        } catch (IOException cause) {
            throw unwritable(path, cause);
        }
        throw new EmbeddedServersFailedException(
                "Another lottery is running on %s (process %s); stop it or set lottery.data to another folder."
                        .formatted(path, owner(path)));
    }

    private static boolean holds(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException withinThisProcess) {
            return false;
        }
    }

    private static String owner(Path path) {
        try {
            return Files.readString(path.resolve("owner")).strip();
        } catch (IOException notYetWritten) {
            return "unknown";
        }
    }

    private static EmbeddedServersFailedException unwritable(Path path, IOException cause) {
        return new EmbeddedServersFailedException(
                "The folder %s cannot be used (%s); make it writable or set lottery.data to another one."
                        .formatted(path, reason(cause)),
                cause);
    }

    /** Returns the class name and the message of the exception, because the message is often only a path. */
    static String reason(IOException cause) {
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
