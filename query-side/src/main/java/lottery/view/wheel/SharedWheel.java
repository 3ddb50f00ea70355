package lottery.view.wheel;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.award.UserWheel;
import lottery.view.activity.ActivityFacts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of an activity's wheel that is the same for all users. Users see different locks, depending on their draws
 * of today, until every lock is open. So there are few renderings, and each is made once. A user who has reached the
 * limit of an award gets a separate rendering.
 */
final class SharedWheel {

    /**
     * The most cached renderings. Few locks need more draws than this. For those the wheel is rendered for each query.
     */
    private static final int RENDERED_MAX = 128;

    private final ActivityFacts activity;
    private final int strategyVersion;
    private final List<WheelPlace> places;
    private final int drawsForAll;
    private final AtomicReferenceArray<@Nullable RenderedWheel> renderedByDraws;

    SharedWheel(ActivityFacts activity, int strategyVersion, List<WheelPlace> places) {
        this.activity = activity;
        this.strategyVersion = strategyVersion;
        this.places = List.copyOf(places);
        this.drawsForAll = places.stream()
                .mapToInt(place -> place.lock().lockedUntilDraws())
                .max()
                .orElse(0);
        this.renderedByDraws = new AtomicReferenceArray<>(Math.min(drawsForAll + 1, RENDERED_MAX));
    }

    ActivityFacts activity() {
        return activity;
    }

    /** Returns the awards whose limit the user has reached. */
    Set<Integer> reached(Map<Integer, Integer> limitedWins) {
        return limitedWins.isEmpty()
                ? Set.of()
                : places.stream()
                        .filter(place -> place.isReachedBy(limitedWins.getOrDefault(place.awardId(), 0)))
                        .map(WheelPlace::awardId)
                        .collect(Collectors.toUnmodifiableSet());
    }

    List<UserWheel.WheelAward> fields(int drawsToday, Set<Integer> reached) {
        return places.stream()
                .map(place -> place.after(drawsToday, reached.contains(place.awardId())))
                .toList();
    }

    /** Renders the wheel. Users who have reached no limit share their renderings. */
    RenderedWheel rendered(int drawsToday, Set<Integer> reached, JsonMapper json) {
        if (!reached.isEmpty()) {
            return render(drawsToday, reached, json);
        }
        int draws = Math.clamp(drawsToday, 0, drawsForAll);
        if (draws >= renderedByDraws.length()) {
            return render(draws, reached, json);
        }
        RenderedWheel known = renderedByDraws.get(draws);
        if (known == null) {
            known = render(draws, reached, json);
            renderedByDraws.set(draws, known);
        }
        return known;
    }

    private RenderedWheel render(int drawsToday, Set<Integer> reached, JsonMapper json) {
        return RenderedWheel.of(json.writeValueAsBytes(fields(drawsToday, reached)));
    }

    /**
     * Returns whether this wheel has an older version of the same strategy. That happens if it was read earlier but
     * arrives later. A version that was approved is not behind, whatever its number is.
     */
    boolean isBehind(SharedWheel other) {
        return activity.strategyId().equals(other.activity.strategyId())
                && Objects.equals(activity.approved(), other.activity.approved())
                && !isApproved()
                && strategyVersion < other.strategyVersion;
    }

    private boolean isApproved() {
        ApprovedStrategy approved = activity.approved();
        return approved != null && approved.version() == strategyVersion;
    }
}
