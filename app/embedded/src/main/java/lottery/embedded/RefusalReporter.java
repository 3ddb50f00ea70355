package lottery.embedded;

import org.springframework.boot.SpringBootExceptionReporter;

/** Prints the sentence of a refusal in place of Spring's report and stack trace; the refusal itself is thrown on. */
final class RefusalReporter implements SpringBootExceptionReporter {

    @Override
    public boolean reportException(Throwable failure) {
        if (failure instanceof ServersRefused) {
            System.err.println("lottery: " + failure.getMessage());
            return true;
        }
        return false;
    }
}
