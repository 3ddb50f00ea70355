package lottery.strategy;

import com.fasterxml.jackson.annotation.JsonInclude;
import lottery.api.Sha256;
import lottery.api.strategy.StrategyDefinition;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Identifies a definition by the SHA-256 of its JSON, with sorted keys, without nulls and without spaces. Equal
 * definitions have equal hashes, whenever and wherever they are computed.
 */
public final class StrategyHash {

    private static final JsonMapper CANONICAL = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .changeDefaultPropertyInclusion(usual -> usual.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private StrategyHash() {}

    /** Returns the hash in hex. */
    public static String of(StrategyDefinition definition) {
        return Sha256.hex(CANONICAL.writeValueAsBytes(definition));
    }
}
