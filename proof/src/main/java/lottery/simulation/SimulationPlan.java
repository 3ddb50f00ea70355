package lottery.simulation;

import java.util.List;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;

/**
 * The size of a simulation: how many draws, by how many users, on how many days, and in how many runs. Draws are made
 * one after the other, and are numbered from 0. Users take turns. The days have equal numbers of draws, or differ by
 * one.
 *
 * @param draws the draws of one run
 * @param seed the seed of all randomness
 */
record SimulationPlan(int draws, int users, int days, int runs, long seed) {

    /** The most draws of all runs together, which take a few seconds of one processor. */
    static final int DRAWS_MAX = 10_000_000;

    static final int USERS_MAX = 1_000_000;
    static final int DAYS_MAX = 366;
    static final int RUNS_MAX = 100;
    static final int RUNS_USUAL = 10;

    /** Returns the usual number of runs, or fewer if the usual number would make too many draws. */
    static int runsFor(int draws) {
        return Math.clamp(DRAWS_MAX / draws, 1, RUNS_USUAL);
    }

    /** Returns a seed that every program reads exactly, even if it knows only floating-point numbers. */
    static long anySeed(RandomGenerator random) {
        return random.nextLong(1L << 53);
    }

    static Answer<SimulationPlan> tooLarge(String pointer) {
        return Answer.no(new Refused(
                Refusal.INVALID,
                pointer,
                List.of(new SubmissionFlaw(pointer, SubmissionFlaw.FlawKind.DRAWS_TOO_MANY))));
    }

    long drawsOfAllRuns() {
        return (long) draws * runs;
    }

    int userOf(int draw) {
        return draw % users;
    }

    /** Returns how often the user of this draw has drawn before it. */
    int drawsBefore(int draw) {
        return draw / users;
    }

    /** Returns the day of a draw, counted from 0. */
    int dayOf(int draw) {
        return (int) ((long) draw * days / draws);
    }

    /** Returns the first draw on a day. If the day has no draw, it returns the first draw after that day. */
    int firstOn(int day) {
        return (int) (((long) day * draws + days - 1) / days);
    }

    /** Returns how often this user has drawn before this draw, which may be the draw of another user. */
    int drawsOf(int user, int draw) {
        return (draw - user + users - 1) / users;
    }
}
