package lottery.view.signin;

import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;

/**
 * The sign-ins of one user in one month.
 *
 * @param days a bitmap; the lowest bit is the first day
 * @param version the sequence number of the newest event that {@code days} includes
 */
record SignInMonth(int days, long version) {

    /** The month before its first event. */
    static final SignInMonth NONE = new SignInMonth(0, -1);

    SignInMonth evolve(SignInEvent event, long sequence) {
        return switch (event) {
            case UserSignedIn signed -> new SignInMonth(days | bit(signed.day().getDayOfMonth()), sequence);
        };
    }

    static int bit(int day) {
        return 1 << (day - 1);
    }
}
