package lottery.app;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import lottery.proof.DifferingDraw;
import lottery.proof.ExportVerifier;
import lottery.proof.PoolVerdict;
import lottery.proof.UnreadableExportException;
import lottery.proof.VerificationCount;

/**
 * Decides every draw of an export again: {@code java -jar lottery.jar verify <file>}. Anyone can run it, because it
 * needs neither a database nor settings.
 */
final class ExportVerificationProgram {

    static final String NAME = "verify";

    static final int AGREED = 0;
    static final int DIFFERENT = 1;
    static final int UNREADABLE = 2;

    private static final String STANDARD_INPUT = "-";

    /**
     * The most draws that are listed because their computed result differs from the export. Further such draws are only
     * counted. A later run lists them, after the first ones are corrected.
     */
    private static final int DIFFERING_MAX = 1_000_000;

    private final InputStream standardInput;
    private final PrintStream out;
    private final PrintStream err;

    ExportVerificationProgram(InputStream standardInput, PrintStream out, PrintStream err) {
        this.standardInput = standardInput;
        this.out = out;
        this.err = err;
    }

    static boolean isAskedFor(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(NAME);
    }

    /** Verifies the export, and returns the exit status of the program. */
    int run(List<String> files) {
        if (files.size() != 1) {
            err.println("usage: java -jar lottery.jar verify <export.ndjson, or - for the standard input>");
            return UNREADABLE;
        }
        try (InputStream in = open(files.getFirst())) {
            long begun = System.nanoTime();
            VerificationCount count =
                    ExportVerifier.verify(in, Runtime.getRuntime().availableProcessors(), DIFFERING_MAX);
            return say(count, System.nanoTime() - begun);
        } catch (UnreadableExportException e) {
            err.println("unreadable, " + e.getMessage());
        } catch (NoSuchFileException e) {
            err.println("unreadable, there is no file " + e.getFile());
        } catch (IOException e) {
            err.println("unreadable, " + e.getMessage());
        } catch (RuntimeException e) {
            // The file comes from outside and may contain anything, so any exception counts as an unreadable file.
            err.println("unreadable, " + e);
        }
        return UNREADABLE;
    }

    private InputStream open(String file) throws IOException {
        return file.equals(STANDARD_INPUT)
                ? new BufferedInputStream(standardInput)
                : Files.newInputStream(Path.of(file));
    }

    private int say(VerificationCount count, long nanos) {
        for (DifferingDraw differing : count.differing()) {
            out.println("differs    " + differing.inWords());
        }
        long differ = count.draws() - count.agreed();
        out.println("draws      " + count.draws());
        out.println("agreed     " + count.agreed());
        out.println("differing  " + differ);
        if (count.unseeded() > 0) {
            out.println("unseeded   %d (their seed is not published yet: outcomes were verified, tickets were not)"
                    .formatted(count.unseeded()));
        }
        count.pool().ifPresent(this::say);
        out.println("per second " + (long) (count.draws() * 1e9 / Math.max(1, nanos)));
        out.flush();
        return differ == 0 && count.pool().map(PoolVerdict::agrees).orElse(true) ? AGREED : DIFFERENT;
    }

    private void say(PoolVerdict pool) {
        pool.inWords().forEach(difference -> out.println("differs    pool: " + difference));
        out.println("entries    " + pool.entries());
        out.println("wins       " + pool.wins());
        if (pool.unseeded()) {
            out.println("unseeded   the pool (its seed is not published yet: the order was verified, its key was not)");
        }
    }
}
