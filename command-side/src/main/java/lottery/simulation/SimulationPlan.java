package lottery.simulation;

import java.util.List;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.Refused;

/**
 * What is played through: so many draws by so many users on so many days, and all of that so many times. Draws come one
 * after the other, and are numbered from 0. Users take turns, and each day has as many draws as any other, or one more.
 *
 * @param draws of one run
 * @param seed from which all chance follows
 */
record SimulationPlan(int draws, int users, int days, int runs, long seed) {

    /** Of all runs together: a few seconds of one processor. */
    static final int DRAWS_MAX = 10_000_000;

    static final int USERS_MAX = 1_000_000;
    static final int DAYS_MAX = 366;
    static final int RUNS_MAX = 100;
    static final int RUNS_USUAL = 10;

    /** As many runs as usual, unless these are too many draws for that. */
    static int runsFor(int draws) {
        return Math.clamp(DRAWS_MAX / draws, 1, RUNS_USUAL);
    }

    /** One that every program reads exactly, those that know no other numbers than floating point included. */
    static long anySeed(RandomGenerator random) {
        return random.nextLong(1L << 53);
    }

    static Answer<SimulationPlan> tooLarge(String pointer) {
        return Answer.no(
                new Refused(Refusal.INVALID, pointer, List.of(new Finding(pointer, Finding.Flaw.DRAWS_TOO_MANY))));
    }

    long drawsOfAllRuns() {
        return (long) draws * runs;
    }

    int userOf(int draw) {
        return draw % users;
    }

    /** How often the same user has drawn before. */
    int drawsBefore(int draw) {
        return draw / users;
    }

    /** Which day it is, counted from 0. */
    int dayOf(int draw) {
        return (int) ((long) draw * days / draws);
    }

    /** The first draw on a day; where it has none, the first after it. */
    int firstOn(int day) {
        return (int) (((long) day * draws + days - 1) / days);
    }

    /** How often a user has drawn when this draw comes. */
    int drawsOf(int user, int draw) {
        return (draw - user + users - 1) / users;
    }
}
