package lottery.store.axon;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import lottery.store.log.Log;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.token.TokenLostException;
import lottery.store.token.TokenTable;
import lottery.store.token.TokenTable.TokenKey;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.eventhandling.tokenstore.UnableToInitializeTokenException;
import org.jspecify.annotations.Nullable;

/** Axon's view of the table of tokens. */
public final class LogTokenStore implements TokenStore {

    private final TokenTable table;

    /**
     * @param claimMax how long a claim lasts without an extension; after this time another process may take over the
     *     token
     */
    public LogTokenStore(Log log, LogDivergenceGuard divergenceGuard, Duration claimMax) {
        this.table = new TokenTable(log, divergenceGuard, claimMax, LogTokenStore::positionOf);
    }

    private static long positionOf(@Nullable String text) {
        TrackingToken token = TokenText.token(text);
        return token == null ? 0 : token.position().orElse(0);
    }

    @Override
    public void initializeTokenSegments(String processorName, int segmentCount) {
        initializeTokenSegments(processorName, segmentCount, null);
    }

    @Override
    public void initializeTokenSegments(String processorName, int segmentCount, @Nullable TrackingToken initialToken) {
        for (int segment = 0; segment < segmentCount; segment++) {
            if (!table.create(new TokenKey(processorName, segment), TokenText.of(initialToken))) {
                throw new UnableToClaimTokenException("%s has a segment %d already".formatted(processorName, segment));
            }
        }
    }

    @Override
    public void initializeSegment(@Nullable TrackingToken token, String processorName, int segment) {
        if (!table.create(new TokenKey(processorName, segment), TokenText.of(token))) {
            throw new UnableToInitializeTokenException("%s has a segment %d already".formatted(processorName, segment));
        }
    }

    @Override
    public void storeToken(@Nullable TrackingToken token, String processorName, int segment) {
        owning(() -> table.move(new TokenKey(processorName, segment), TokenText.of(token)));
    }

    @Override
    public @Nullable TrackingToken fetchToken(String processorName, int segment) {
        return TokenText.token(owning(() -> table.claim(new TokenKey(processorName, segment))));
    }

    /**
     * Claims a segment that the caller knows. If the segment was split or merged meanwhile, the caller would handle
     * other events than the token stands for, so it gets no claim. Only the owner of a claim splits or merges a
     * segment.
     */
    @Override
    public @Nullable TrackingToken fetchToken(String processorName, Segment segment) {
        TrackingToken token = fetchToken(processorName, segment.getSegmentId());
        Segment now = Segment.computeSegment(segment.getSegmentId(), fetchSegments(processorName));
        if (now.getMask() != segment.getMask()) {
            releaseClaim(processorName, segment.getSegmentId());
            throw new UnableToClaimTokenException(
                    "segment %d of %s was split or merged".formatted(segment.getSegmentId(), processorName));
        }
        return token;
    }

    /** Returns the members that follow a claimed token, as {@link TokenTable#follow} does. */
    public Set<String> follow(String processorName, int segment, Set<String> members, Set<String> rebuilt) {
        return owning(() -> table.follow(new TokenKey(processorName, segment), members, rebuilt));
    }

    /** Lets a member follow no more. A replay has to build its data before it follows again. */
    public void leave(String processorName, int segment, String member) {
        owning(() -> table.leave(new TokenKey(processorName, segment), member));
    }

    @Override
    public void extendClaim(String processorName, int segment) {
        owning(() -> table.extend(new TokenKey(processorName, segment)));
    }

    @Override
    public void releaseClaim(String processorName, int segment) {
        table.release(new TokenKey(processorName, segment));
    }

    @Override
    public boolean requiresExplicitSegmentInitialization() {
        return true;
    }

    @Override
    public void deleteToken(String processorName, int segment) {
        owning(() -> table.delete(new TokenKey(processorName, segment)));
    }

    @Override
    public int[] fetchSegments(String processorName) {
        return table.segments(processorName).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public List<Segment> fetchAvailableSegments(String processorName) {
        int[] all = fetchSegments(processorName);
        return table.freeSegments(processorName).stream()
                .map(segment -> Segment.computeSegment(segment, all))
                .toList();
    }

    private static void owning(Runnable step) {
        owning(() -> {
            step.run();
            return true;
        });
    }

    private static <T extends @Nullable Object> T owning(Supplier<T> step) {
        try {
            return step.get();
        } catch (TokenLostException e) {
            throw new UnableToClaimTokenException(e.getMessage(), e);
        }
    }
}
