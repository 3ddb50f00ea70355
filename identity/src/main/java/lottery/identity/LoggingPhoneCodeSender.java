package lottery.identity;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes codes to the log instead of sending them, for a lottery with embedded servers. */
final class LoggingPhoneCodeSender implements PhoneCodeSender {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingPhoneCodeSender.class);

    @Override
    public void send(String phone, String code) {
        LOG.warn("The code for {} is {}", phone, code);
    }
}
