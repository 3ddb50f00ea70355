package lottery.view.wheel;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import lottery.api.award.Wheel;
import lottery.view.activity.ActivityFacts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The wheel of an activity as all users see it alike. What a user sees beyond that depends on how often they have drawn
 * today, and no more on it once every lock is open: so there are few pictures of one face, and each is made once.
 */
final class WheelLayout {

    /** A lock is rarely of more draws than this. Where it is, its pictures are made for each question. */
    private static final int PICTURES_MAX = 128;

    private final ActivityFacts activity;
    private final int strategyVersion;
    private final List<WheelPlace> places;
    private final int drawsForAll;
    private final AtomicReferenceArray<@Nullable RenderedWheel> pictures;

    WheelLayout(ActivityFacts activity, int strategyVersion, List<WheelPlace> places) {
        this.activity = activity;
        this.strategyVersion = strategyVersion;
        this.places = List.copyOf(places);
        this.drawsForAll = places.stream()
                .mapToInt(place -> place.lock().lockedUntilDraws())
                .max()
                .orElse(0);
        this.pictures = new AtomicReferenceArray<>(Math.min(drawsForAll + 1, PICTURES_MAX));
    }

    ActivityFacts activity() {
        return activity;
    }

    List<Wheel.WheelAward> fields(int drawsToday) {
        return places.stream().map(place -> place.after(drawsToday)).toList();
    }

    RenderedWheel picture(int drawsToday, JsonMapper json) {
        int draws = Math.clamp(drawsToday, 0, drawsForAll);
        if (draws >= pictures.length()) {
            return painted(draws, json);
        }
        RenderedWheel known = pictures.get(draws);
        if (known == null) {
            known = painted(draws, json);
            pictures.set(draws, known);
        }
        return known;
    }

    private RenderedWheel painted(int drawsToday, JsonMapper json) {
        return RenderedWheel.of(json.writeValueAsBytes(fields(drawsToday)));
    }

    /** Whether this shows a version of the same strategy that is older: one that was read before, and comes later. */
    boolean isBehind(WheelLayout other) {
        return activity.strategyId().equals(other.activity.strategyId()) && strategyVersion < other.strategyVersion;
    }
}
