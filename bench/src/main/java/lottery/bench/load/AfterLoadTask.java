package lottery.bench.load;

import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import lottery.bench.CheckReport;
import lottery.bench.CheckedDatabase;
import lottery.bench.InvariantChecker;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.load.HttpConnection.HttpReply;
import lottery.bench.store.BareSqlPeakBenchmark;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A task over all draws of a run. It runs when the lottery is at rest, and reports its speed. */
enum AfterLoadTask {
    /** Decides each draw of the activity again, from the log. */
    VERIFY {
        @Override
        TaskResult work(LoadOptions options, LoadActivity activity) throws IOException {
            URI lottery = options.url();
            JsonNode result = ask(lottery, HttpConnection.post(lottery, activity.path() + "/verifications", "", ""));
            long draws = result.path("draws").asLong();
            long agreed = result.path("agreed").asLong();
            if (!result.path("complete").asBoolean() || agreed != draws) {
                throw new IOException("of %,d draws %,d were verified and agree: %s".formatted(draws, agreed, result));
            }
            return TaskResult.done(
                    "draws verified", draws, result.path("perSecond").asLong());
        }
    },

    /** Builds the read model of accounts again from the first event on, while the old one answers queries. */
    REPLAY {
        @Override
        TaskResult work(LoadOptions options, LoadActivity activity) throws IOException {
            long begun = System.nanoTime();
            URI management = options.management();
            long head = ask(
                            management,
                            HttpConnection.post(management, PROJECTIONS + "/" + READ_MODEL + "/replay", "", ""))
                    .path("head")
                    .asLong();
            while (isUnderWay(management)) {
                if (System.nanoTime() - begun > LASTS_MAX.toNanos()) {
                    throw new IOException("the replay has not ended in " + LASTS_MAX);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            return TaskResult.done("events replayed", head, Math.round(head / seconds));
        }

        private boolean isUnderWay(URI management) throws IOException {
            for (JsonNode each :
                    ask(management, HttpConnection.get(management, PROJECTIONS)).path("items")) {
                JsonNode replay = each.path("replay");
                if (each.path("name").asString().equals(READ_MODEL) && replay.isObject()) {
                    if (replay.has("failedBecause")) {
                        throw new IOException("the replay has failed: " + replay);
                    }
                    return true;
                }
            }
            return false;
        }
    },

    /** Runs the checker, which reads the log and the read models from outside. */
    CHECK {
        @Override
        TaskResult work(LoadOptions options, LoadActivity activity) throws IOException {
            long begun = System.nanoTime();
            CheckReport report;
            try {
                report = InvariantChecker.check(database(), CheckMoment.AT_REST, InvariantChecker.saidOn(System.out));
            } catch (SQLException e) {
                throw new IOException("the database could not be read: " + e.getMessage(), e);
            }
            System.out.println(report.table());
            if (!report.isSound()) {
                throw new IOException("not all invariants hold");
            }
            long facts = report.verdicts().stream()
                    .mapToLong(InvariantVerdict::checked)
                    .sum();
            return TaskResult.done("facts checked", facts, Math.round(facts / ((System.nanoTime() - begun) / 1e9)));
        }

        @Override
        void prepare() {
            var _ = database();
        }
    };

    static final String NAMES = Arrays.stream(values()).map(AfterLoadTask::word).collect(Collectors.joining(", "));

    private static final String PROJECTIONS = "/api/v1/ops/projections";
    private static final String READ_MODEL = "accounts";
    private static final Duration LASTS_MAX = Duration.ofHours(1);
    private static final Duration LOOK = Duration.ofMillis(100);

    /** The time limit for an answer. It is longer than a verification, which ends by itself after five minutes. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(6);

    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * The result of a task.
     *
     * @param failedBecause the reason why it failed; null: it succeeded
     */
    record TaskResult(
            String what,
            long count,
            long perSecond,
            @Nullable String failedBecause) {

        static TaskResult done(String what, long count, long perSecond) {
            return new TaskResult(what, count, perSecond, null);
        }
    }

    TaskResult of(LoadOptions options, LoadActivity activity) {
        System.out.printf("Then: %s%n", word());
        try {
            return work(options, activity);
        } catch (IOException e) {
            return new TaskResult(word(), 0, 0, e.getMessage());
        }
    }

    abstract TaskResult work(LoadOptions options, LoadActivity activity) throws IOException;

    /** Returns the database with the events of the measured lottery. */
    private static CheckedDatabase database() {
        return CheckedDatabase.of(new HashMap<>(), System.getenv());
    }

    static BareSqlPeakBenchmark bareSql() throws SQLException {
        CheckedDatabase database = database();
        return BareSqlPeakBenchmark.open(database.url(), database.user(), database.password());
    }

    /**
     * Checks, before the load begins, that nothing is missing for the task, for example the address of the database.
     *
     * @throws IllegalArgumentException if something is missing
     */
    void prepare() {}

    /**
     * Returns the tasks with these names.
     *
     * @param words the names with commas between them; empty: none
     */
    static List<AfterLoadTask> named(String words) {
        return words.isEmpty()
                ? List.of()
                : Arrays.stream(words.split(",", -1))
                        .map(AfterLoadTask::ofWord)
                        .peek(AfterLoadTask::prepare)
                        .toList();
    }

    private static AfterLoadTask ofWord(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("--then is any of " + NAMES + ", not " + word));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static JsonNode ask(URI lottery, byte[] request) throws IOException {
        try (HttpConnection connection = HttpConnection.open(lottery, ANSWER_MAX)) {
            HttpReply reply = connection.ask(request);
            if (!reply.isDone()) {
                throw new IOException("refused: " + reply.text());
            }
            return JSON.readTree(reply.text());
        }
    }
}
