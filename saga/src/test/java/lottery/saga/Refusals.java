package lottery.saga;

import java.util.Map;
import lottery.api.RefusedException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Replaces the problem documents, which are in another module. */
@RestControllerAdvice
class Refusals {

    @ExceptionHandler
    ResponseEntity<Map<String, Object>> refused(RefusedException exception) {
        HttpStatus status = switch (exception.refused().why()) {
            case INVALID -> HttpStatus.BAD_REQUEST;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case BUSY, NOT_READY -> HttpStatus.SERVICE_UNAVAILABLE;
            default -> HttpStatus.CONFLICT;
        };
        return ResponseEntity.status(status)
                .body(Map.of(
                        "why", exception.refused().why(),
                        "subject", exception.refused().subject()));
    }
}
