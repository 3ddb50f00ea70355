package lottery.api.signin;

import java.time.LocalDate;
import lottery.api.Command;
import lottery.api.UserId;

/** The commands to the sign-ins of a user. */
public sealed interface SignInCommand extends Command<SignInResult> {

    /**
     * Signs a user in on a day. Nothing changes if the user has already signed in on this day or on a later one.
     *
     * @param day the current day of the user
     */
    record SignIn(UserId userId, LocalDate day) implements SignInCommand {

        @Override
        public SignInsId target() {
            return new SignInsId(userId);
        }
    }
}
