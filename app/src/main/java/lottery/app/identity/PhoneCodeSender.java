package lottery.app.identity;

/** Sends a code to a phone. */
interface PhoneCodeSender {

    /** Returns once the code is on its way; throws if it is not. */
    void send(String phone, String code);
}
