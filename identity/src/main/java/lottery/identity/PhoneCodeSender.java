package lottery.identity;

/** Sends a code to a phone. */
interface PhoneCodeSender {

    /** Returns when the code was handed over for delivery; throws if that fails. */
    void send(String phone, String code);
}
