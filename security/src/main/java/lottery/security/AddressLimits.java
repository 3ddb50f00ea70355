package lottery.security;

import jakarta.servlet.Filter;
import lottery.limit.CallerRateLimiter;

/** The limits of addresses, for each chain of filters. All chains count requests together, and streams separately. */
public final class AddressLimits {

    private final CallerRateLimiter requests;
    private final int streamsMax;

    AddressLimits(CallerRateLimiter requests, int streamsMax) {
        this.requests = requests;
        this.streamsMax = streamsMax;
    }

    /** Returns a new filter for one chain. */
    public Filter filter() {
        return new AddressLimitFilter(requests, streamsMax);
    }
}
