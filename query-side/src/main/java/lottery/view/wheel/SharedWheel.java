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
 * The wheel of an activity, apart from what depends on the user. Users differ by their number of draws today, because
 * it opens locks. Above a certain number every lock is open. So there are few different renderings, and each is made
 * once. A user who has reached the limit of an award gets a rendering that is not cached.
 */
final class SharedWheel {

    /**
     * The most cached renderings, one for each number of draws. Locks that need more draws than this are rare. If there
     * is one, the wheel of a user with so many draws is rendered for each query.
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

    /**
     * Returns the wheel for a number of draws and a set of awards whose limit is reached. Users who have reached no
     * limit share the cached renderings.
     */
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
     * Returns whether this wheel shows an older version of the same strategy than the other wheel. This can happen if
     * this wheel was read earlier than the other but arrives later. If this wheel shows the approved version, the
     * answer is no, even if the other wheel has a higher version number.
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
