package lottery.tree;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts that are numbers. */
final class TreeNumbers {

    /** With so few digits no exponent is too large, so that whatever looks like a number is one. */
    private static final Pattern SHAPE = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?");

    private TreeNumbers() {}

    static @Nullable BigDecimal read(String text) {
        return SHAPE.matcher(text).matches() ? new BigDecimal(text) : null;
    }
}
