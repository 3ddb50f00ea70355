package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The operator's own number of a bundle of chances. */
public record SkuId(@JsonValue long value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public SkuId {
        if (value <= 0) {
            throw new IllegalArgumentException("a SKU is positive");
        }
    }

    @Override
    public String toString() {
        return "sku:" + value;
    }
}
