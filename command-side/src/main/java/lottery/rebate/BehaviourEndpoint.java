package lottery.rebate;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourCommand;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Takes reports of behaviours over REST, and shows what they have earned. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(
        name = "Behaviour",
        description = "Reports of what users do, such as a share or a payment, and the rebates for it.")
class BehaviourEndpoint {

    private static final String BEHAVIOURS = "/api/v1/users/{userId}/behaviours";

    /** @param outBusinessNo the caller's own number of the behaviour */
    record BehaviourRequest(
            @NotNull @Pattern(regexp = BehaviourCommand.REPORTED)
            String behaviour,

            @NotBlank
            @Pattern(regexp = BehaviourCommand.BUSINESS_NO)
            @Size(max = BehaviourCommand.BUSINESS_NO_LENGTH_MAX)
            String outBusinessNo) {}

    record BehaviourReceipt(BehaviourId behaviourId, List<RebateReply> rebates) {

        static BehaviourReceipt of(BehaviourProgress progress) {
            return new BehaviourReceipt(progress.behaviourId(), RebateReply.all(progress));
        }
    }

    record BehaviourDetails(
            BehaviourId behaviourId, String behaviour, String outBusinessNo, List<RebateReply> rebates) {

        static BehaviourDetails of(BehaviourProgress progress) {
            return new BehaviourDetails(
                    progress.behaviourId(), progress.behaviour(), progress.outBusinessNo(), RebateReply.all(progress));
        }
    }

    private final EndpointCommandSender commands;
    private final BehaviourReader behaviours;

    BehaviourEndpoint(EndpointCommandSender commands, BehaviourReader behaviours) {
        this.commands = commands;
        this.behaviours = behaviours;
    }

    @Operation(summary = "Report what a user has done", description = """
                    Stores a behaviour and orders the rebates of all open rules for it. `outBusinessNo` is the caller's
                    own number. Together with the behaviour it takes effect once per user: the same request again
                    returns 200 with the same body. Each rebate is given once, shortly after the request; read the
                    behaviour to see the states of its rebates. A rebate beyond the limit of its rule is REFUSED at
                    once. Sign-ins are not reported here, because they have their own operation. Behaviours of banned
                    users count too.""")
    @IdempotentCreation
    @PostMapping(BEHAVIOURS)
    ResponseEntity<BehaviourReceipt> reportBehaviour(
            @PathVariable UserId userId, @Valid @RequestBody BehaviourRequest form) {
        ReportBehaviour command = new ReportBehaviour(userId, form.behaviour(), form.outBusinessNo());
        Answer<BehaviourProgress> answer = commands.sendInTurn(command);
        Optional<BehaviourProgress> earlier = earlier(answer, command);
        if (earlier.isPresent()) {
            return IdempotentReplyBuilder.repeated(BehaviourReceipt.of(earlier.get()));
        }
        BehaviourProgress reported = answer.orThrow();
        URI place = UriComponentsBuilder.fromPath("/api/v1/users")
                .pathSegment(
                        userId.value(), "behaviours", reported.behaviourId().text())
                .build()
                .encode()
                .toUri();
        return IdempotentReplyBuilder.created(place, BehaviourReceipt.of(reported));
    }

    /**
     * Returns the answer to an earlier request with the same business number, if this request was refused. The reason
     * for the refusal does not matter.
     */
    private Optional<BehaviourProgress> earlier(Answer<BehaviourProgress> answer, ReportBehaviour command) {
        return answer instanceof Answer.No ? behaviours.first(command.behaviourId()) : Optional.empty();
    }

    @Operation(summary = "Show a behaviour and its rebates", description = """
                    Returns the states of a behaviour's rebates: ORDERED first, and then DONE, or REFUSED with the
                    reason. A reason is the code of a refusal, such as SKU_SOLD_OUT, or RULE_LIMIT or SKU_PRICED.""")
    @GetMapping(BEHAVIOURS + "/{behaviourId}")
    BehaviourDetails getBehaviour(@PathVariable UserId userId, @PathVariable BehaviourId behaviourId) {
        return behaviours
                .find(behaviourId)
                .filter(found -> found.userId().equals(userId))
                .map(BehaviourDetails::of)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, behaviourId.text()));
    }
}
