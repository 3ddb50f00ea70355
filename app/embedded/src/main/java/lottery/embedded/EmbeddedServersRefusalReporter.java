package lottery.embedded;

import org.springframework.boot.SpringBootExceptionReporter;

/**
 * Prints the message of a {@link EmbeddedServersFailedException} instead of Spring's report and stack trace. Spring
 * still throws the exception.
 */
final class EmbeddedServersRefusalReporter implements SpringBootExceptionReporter {

    @Override
    public boolean reportException(Throwable failure) {
        if (failure instanceof EmbeddedServersFailedException) {
            System.err.println("lottery: " + failure.getMessage());
            return true;
        }
        return false;
    }
}
