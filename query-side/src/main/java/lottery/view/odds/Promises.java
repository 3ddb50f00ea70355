package lottery.view.odds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** All versions of all strategies, as they were promised: a version never changes. */
@Component
class Promises {

    private static final long KNOWN_MAX = 200;

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private record Key(long strategyId, int version) {}

    private final JdbcOperations database;
    private final Cache<Key, Promise> known =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    Promises(JdbcOperations database) {
        this.database = database;
    }

    void keep(StrategyEvent event) {
        database.update(
                "INSERT INTO view_strategy (strategy_id, version, definition) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                event.strategyId().value(),
                event.version(),
                JSON.writeValueAsString(event.definition()));
    }

    Optional<Promise> find(StrategyId strategyId, int version) {
        Key key = new Key(strategyId.value(), version);
        Promise promise = known.getIfPresent(key);
        if (promise == null) {
            Optional<Promise> stored = stored(key);
            stored.ifPresent(found -> known.put(key, found));
            return stored;
        }
        return Optional.of(promise);
    }

    private Optional<Promise> stored(Key key) {
        return database
                .queryForList(
                        "SELECT definition FROM view_strategy WHERE strategy_id = ? AND version = ?",
                        String.class,
                        key.strategyId(),
                        key.version())
                .stream()
                .findFirst()
                .map(text -> new Promise(JSON.readValue(text, StrategyDefinition.class)));
    }

    void forget() {
        database.update("DELETE FROM view_strategy");
        known.invalidateAll();
    }
}
