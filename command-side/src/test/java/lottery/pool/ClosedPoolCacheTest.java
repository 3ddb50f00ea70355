package lottery.pool;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.activity.ActivityId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pools that take no more entries")
class ClosedPoolCacheTest {

    private static final ActivityId ONE = new ActivityId(100);
    private static final ActivityId OTHER = new ActivityId(101);

    private final ClosedPoolCache pools = new ClosedPoolCache();

    @Test
    @DisplayName("have a pool from its last entry on, and not before.")
    void full() {
        pools.numbered(ONE, ClosedPoolCache.ENTRIES_MAX - 1);
        assertThat(pools.contains(ONE)).isFalse();
        pools.numbered(ONE, ClosedPoolCache.ENTRIES_MAX);
        assertThat(pools.contains(ONE)).isTrue();
        assertThat(pools.contains(OTHER)).isFalse();
    }

    @Test
    @DisplayName("have a pool that was closed.")
    void closed() {
        pools.add(ONE);
        assertThat(pools.contains(ONE)).isTrue();
        assertThat(pools.contains(OTHER)).isFalse();
    }
}
