package lottery.api.award;

import org.jspecify.annotations.Nullable;

/** The address to which an award is sent. */
public record Address(
        String name,
        String phone,
        String address,
        @Nullable String postalCode,
        @Nullable String note) {}
