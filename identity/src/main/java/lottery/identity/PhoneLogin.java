package lottery.identity;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.security.CallerRole;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in players with a code that was sent to their phone. The first login with a number creates a player's account.
 * Users with other roles log in with a password.
 */
final class PhoneLogin {

    private static final Logger LOG = LoggerFactory.getLogger(PhoneLogin.class);

    private static final int CODES = 1_000_000;
    private static final int NAME_BYTES = 8;
    private static final int TRIES_PER_MINUTE = 60;
    private static final int SENT_PER_MINUTE = 10;

    private final LoginAccountTable table;
    private final PhoneCodeTable codes;
    private final @Nullable PhoneCodeSender sender;
    private final SecureRandom random;
    private final InProcessLoginAttemptLimiter tries = new InProcessLoginAttemptLimiter(TRIES_PER_MINUTE);
    private final InProcessLoginAttemptLimiter sent = new InProcessLoginAttemptLimiter(SENT_PER_MINUTE);

    /** @param sender sends the codes; null: login by phone is not possible */
    PhoneLogin(LoginAccountTable table, PhoneCodeTable codes, @Nullable PhoneCodeSender sender, SecureRandom random) {
        this.table = table;
        this.codes = codes;
        this.sender = sender;
        this.random = random;
    }

    /** Sends a code to a phone, at most one per minute. */
    void sendCode(String phone, String address) {
        if (sender == null) {
            throw new RefusedException(Refusal.NOT_FOUND, "phone-codes");
        }
        sent.begin(address);
        String code = "%06d".formatted(random.nextInt(CODES));
        if (!codes.put(phone, code)) {
            throw new RefusedException(Refusal.RATE_LIMITED, phone);
        }
        if (!codes.count()) {
            LOG.warn("No code is sent, because all phones together have got too many in this minute or on this day."
                    + " Somebody may abuse the login by phone. See LOTTERY_IDENTITY_PHONE_CODES_PER_MINUTE.");
            codes.forget(phone);
            throw new RefusedException(Refusal.RATE_LIMITED, "phone-codes");
        }
        try {
            sender.send(phone, code);
        } catch (RuntimeException failure) {
            // The exception's message is not logged, because it may contain the code.
            LOG.warn(
                    "A login code could not be sent: {}. The caller is answered NOT_READY. Check the sender of codes.",
                    failure.getClass().getName());
            codes.forget(phone);
            throw new RefusedException(Refusal.NOT_READY, "phone-codes");
        }
    }

    /** Checks the code, and returns the account of the phone. If there is none, it is created. */
    LoginAccount logIn(String phone, String code, String address) {
        tries.begin(address);
        if (!codes.take(phone, code)) {
            throw new RefusedException(Refusal.LOGIN_FAILED, phone);
        }
        tries.succeed(address);
        LoginAccount account = table.findByPhone(phone).orElseGet(() -> create(phone));
        if (!account.roles().equals(List.of(CallerRole.PLAYER.word()))) {
            throw new RefusedException(Refusal.LOGIN_FAILED, phone);
        }
        return PasswordLogin.requireUnlocked(account);
    }

    /** Creates an account for the phone. If another node has just created one, returns that account. */
    private LoginAccount create(String phone) {
        byte[] bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        String name = "u" + HexFormat.of().formatHex(bytes);
        try {
            return table.put(name, List.of(CallerRole.PLAYER.word()), null, phone, "REGISTERED");
        } catch (LoginAccountTable.PhoneNumberTakenException faster) {
            return table.findByPhone(phone).orElseThrow(() -> faster);
        }
    }
}
