package lottery.api.award;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The address to which an award is sent. Its parts have no line ends. */
public record Address(
        String name,
        String phone,
        String address,
        @Nullable String postalCode,
        @Nullable String note) {

    private static final String BETWEEN = "\n";

    /** Returns the address as one text, which is sealed before it is stored in the log. */
    public String text() {
        return String.join(
                BETWEEN,
                name,
                phone,
                address,
                Objects.requireNonNullElse(postalCode, ""),
                Objects.requireNonNullElse(note, ""));
    }

    /** Reads the text of an address. A part that was empty becomes null. */
    static Address of(String text) {
        String[] parts = text.split(BETWEEN, -1);
        return new Address(parts[0], parts[1], parts[2], partOrNull(parts[3]), partOrNull(parts[4]));
    }

    private static @Nullable String partOrNull(String part) {
        return part.isEmpty() ? null : part;
    }

    /** Leaves the address out, because logs and errors must not show it. */
    @Override
    public String toString() {
        return "an address";
    }
}
