package lottery.stage;

import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/**
 * Reads again when it is told to come again, as a caller does: on a busy machine a read model may need seconds to reach
 * a position.
 */
public final class PatientReader {

    private static final int COMES_AGAIN_MAX = 10;

    private PatientReader() {}

    /** Returns the first answer that is not 503, or the last one. */
    public static MvcTestResult read(MockMvcTester mvc, String uri) {
        MvcTestResult result = mvc.get().uri(uri).exchange();
        for (int i = 0; i < COMES_AGAIN_MAX && isToComeAgain(result); i++) {
            result = mvc.get().uri(uri).exchange();
        }
        return result;
    }

    private static boolean isToComeAgain(MvcTestResult result) {
        return result.getResponse().getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value();
    }
}
