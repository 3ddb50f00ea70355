package lottery.fulfilment.code;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.CodePoolId;
import lottery.messaging.invoice.AwardProgressLogReader;
import lottery.store.trace.Actor;
import lottery.store.vault.SecretUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators upload and count codes over REST, and shows a won code to its winner. */
@RestController
@Tag(name = "Code", description = "The codes of CODE awards.")
// A caller that does not accept JSON is refused before anything happens, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class CodeEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(CodeEndpoint.class);

    private static final String POOL = "/api/v1/activities/{activityId}/award-codes/{awardId}";

    private static final int CODES_MAX = 10_000;
    private static final int CODE_LENGTH_MAX = 200;

    private static final String VISIBLE = "[^\\p{Z}\\p{Cc}\\p{Cs}\\p{Cn}]";

    /**
     * Matches visible characters, with spaces only between them. It uses no syntax that exists only in Java, because
     * clients use the pattern too.
     */
    private static final String PRINTABLE = VISIBLE + "(?:[^\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cs}\\p{Cn}]*" + VISIBLE + ")?";

    private static final int FINDINGS_MAX = 100;

    record CodeUploadRequest(
            @NotNull @Size(min = 1, max = CODES_MAX)
            List<@NotNull @Size(min = 1, max = CODE_LENGTH_MAX) @Pattern(regexp = PRINTABLE) String> codes) {}

    /**
     * The result of an upload, and the pool after it.
     *
     * @param known how many of the codes were already in the pool, given or not
     */
    record CodeUpload(int added, int known, long total, long free, long given) {}

    record WonCode(String code) {

        @Override
        public String toString() {
            return "a code";
        }
    }

    private final CodePoolTable pools;
    private final StrategyCodeAwardLookup awards;
    private final CodeMeters meters;
    private final AwardProgressLogReader history;

    CodeEndpoint(
            CodePoolTable pools, StrategyCodeAwardLookup awards, CodeMeters meters, AwardProgressLogReader history) {
        this.history = history;
        this.pools = pools;
        this.awards = awards;
        this.meters = meters;
    }

    /** Adds codes to a pool. A code that is already in the pool is not added again. */
    @Operation(summary = "Upload codes for a CODE award", description = """
                    Adds codes to the award's pool of codes and returns how many of them were new. A code that the pool
                    already has is not added again, so the request can be repeated. One request has at most 10,000
                    codes. A request that contains a code twice is refused. Codes are stored encrypted.""")
    @PostMapping(POOL)
    CodeUpload uploadCodes(
            @PathVariable ActivityId activityId,
            @PathVariable int awardId,
            @Valid @RequestBody CodeUploadRequest upload) {
        CodePoolId pool = existing(activityId, awardId);
        List<String> codes = upload.codes();
        refuseTwins(codes);
        int added = added(pool, codes);
        meters.show(pool);
        CodePoolCount count = pools.count(pool);
        return new CodeUpload(added, codes.size() - added, count.total(), count.free(), count.given());
    }

    private int added(CodePoolId pool, List<String> codes) {
        try {
            return pools.upload(pool, codes);
        } catch (SecretUnavailableException lost) {
            LOG.warn(
                    "Codes could not be sealed: {}. The upload is answered NOT_READY. Check LOTTERY_CODES_KEYS.",
                    lost.getMessage());
            throw new RefusedException(Refusal.NOT_READY, pool.text());
        }
    }

    @Operation(summary = "Count the codes of an award", description = """
                    Returns how many codes the award's pool of codes has, how many of them are free, and how many are
                    given.""")
    @GetMapping(POOL)
    CodePoolCount countCodes(@PathVariable ActivityId activityId, @PathVariable int awardId) {
        return pools.count(existing(activityId, awardId));
    }

    @Operation(summary = "Show the code that was won", description = """
                    Returns the code of a granted CODE award to its winner. Do not cache the response. While the award
                    has no code, the request is refused with NOT_FOUND.""")
    @GetMapping("/api/v1/award-records/{awardRecordId}/code")
    ResponseEntity<WonCode> getCode(@PathVariable AwardRecordId awardRecordId) {
        WonCode code = new WonCode(open(awardRecordId));
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(code);
    }

    private String open(AwardRecordId awardRecordId) {
        String what = "code of " + awardRecordId.text();
        try {
            // In another log than the home log, an award has its code before it is granted.
            return history.find(awardRecordId)
                    .filter(award -> award.state() == AwardState.GRANTED)
                    .map(AwardProgress::won)
                    .filter(won -> Actor.mayAccessDataOf(won.userId().value()))
                    .flatMap(won -> pools.codeOf(awardRecordId, poolOf(won)))
                    .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, what));
        } catch (SecretUnavailableException lost) {
            LOG.warn(
                    "A code cannot be opened: {}. The caller is answered NOT_READY. Check LOTTERY_CODES_KEYS.",
                    lost.getMessage());
            throw new RefusedException(Refusal.NOT_READY, what);
        }
    }

    private static CodePoolId poolOf(AwardWon won) {
        return new CodePoolId(won.activityId(), won.award().awardId());
    }

    private CodePoolId existing(ActivityId activityId, int awardId) {
        CodePoolId pool = new CodePoolId(activityId, awardId);
        if (!awards.hasActivity(activityId)) {
            throw new RefusedException(Refusal.NOT_FOUND, activityId.text());
        }
        if (!awards.contain(pool)) {
            throw new RefusedException(Refusal.NOT_FOUND, "award " + awardId + " of type CODE in " + activityId.text());
        }
        return pool;
    }

    private static void refuseTwins(List<String> codes) {
        Set<String> seen = new HashSet<>();
        List<SubmissionFlaw> findings = new ArrayList<>();
        for (int i = 0; i < codes.size() && findings.size() < FINDINGS_MAX; i++) {
            if (!seen.add(codes.get(i))) {
                findings.add(new SubmissionFlaw("/codes/" + i, SubmissionFlaw.FlawKind.CODE_TWICE));
            }
        }
        if (!findings.isEmpty()) {
            throw new RefusedException(new Refused(Refusal.INVALID, "codes", findings));
        }
    }
}
