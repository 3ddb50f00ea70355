package lottery.tree;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads texts as numbers. */
final class TreeNumbers {

    /** The form of a number. Its exponent has few digits, so that each text of this form can be converted. */
    private static final Pattern SHAPE = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?");

    private TreeNumbers() {}

    static @Nullable BigDecimal read(String text) {
        return SHAPE.matcher(text).matches() ? new BigDecimal(text) : null;
    }
}
