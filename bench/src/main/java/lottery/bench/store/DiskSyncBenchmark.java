package lottery.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import lottery.bench.store.LatencyList.Percentiles;

/** Measures how long it takes to write eight kilobytes durably to the disk, as PostgreSQL does for each commit. */
final class DiskSyncBenchmark {

    private static final int PAGE = 8_192;
    private static final int PAGES = 2_048;

    private DiskSyncBenchmark() {}

    static Percentiles sync(Path folder, Duration time) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("sync");
        LatencyList latencies = new LatencyList();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(PAGE * PAGES), 0);
            channel.force(true);
            long end = System.nanoTime() + time.toNanos();
            for (int page = 0; System.nanoTime() < end; page = (page + 1) % PAGES) {
                long before = System.nanoTime();
                channel.write(ByteBuffer.allocate(PAGE), (long) page * PAGE);
                channel.force(false);
                latencies.add(System.nanoTime() - before);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return LatencyList.percentiles(List.of(latencies));
    }
}
