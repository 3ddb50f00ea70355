package lottery.api.award;

import org.jspecify.annotations.Nullable;

/** Where an award is sent to. */
public record Address(
        String name,
        String phone,
        String address,
        @Nullable String postalCode,
        @Nullable String note) {}
