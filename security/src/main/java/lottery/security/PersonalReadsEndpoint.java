package lottery.security;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.security.PersonalReadLog.PersonalRead;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which member of the staff has read which data about persons. */
@RestController
@Tag(name = "Personal reads", description = "The record of who has read personal data.")
class PersonalReadsEndpoint {

    private static final int LIMIT_MAX = 100;
    private static final int NAME_LENGTH_MAX = 200;
    private static final String NUMBER = "[0-9]{1,18}";

    record PersonalReadPage(
            List<PersonalRead> reads, @Nullable String next) {}

    private final PersonalReadLog log;

    PersonalReadsEndpoint(PersonalReadLog log) {
        this.log = log;
    }

    @Operation(summary = "List who has read what about persons", description = """
                    Returns which personal data callers with the roles operator, approver, desk, auditor and admin have
                    requested, the newest request first, page by page. A request is recorded before it is answered, even
                    if it is then refused.""")
    @GetMapping(path = "/api/v1/ops/personal-reads", produces = MediaType.APPLICATION_JSON_VALUE)
    PersonalReadPage listPersonalReads(
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new RefusedException(Refusal.INVALID, "limit");
        }
        if (cursor != null && !cursor.matches(NUMBER)) {
            throw new RefusedException(Refusal.INVALID, "cursor");
        }
        if (actor != null
                && (actor.length() > NAME_LENGTH_MAX || actor.codePoints().anyMatch(Character::isISOControl))) {
            throw new RefusedException(Refusal.INVALID, "actor");
        }
        List<PersonalRead> found =
                log.below(cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor), actor, limit + 1);
        List<PersonalRead> page = found.stream().limit(limit).toList();
        return new PersonalReadPage(
                page, found.size() > limit ? Long.toString(page.getLast().number()) : null);
    }
}
