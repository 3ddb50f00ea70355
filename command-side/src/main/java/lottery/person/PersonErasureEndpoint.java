package lottery.person;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.EndpointCommandSender;
import lottery.api.UserId;
import lottery.api.person.ErasureProgress;
import lottery.api.person.ErasureState;
import lottery.api.person.PersonCommand.ErasePerson;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets the desk erase persons over REST. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Person", description = "The personal data of a user, and its erasure.")
class PersonErasureEndpoint {

    /** The pattern of a text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /**
     * @param reason a text for people; it is stored in clear, and should name nobody
     * @param proposal the proposal to agree to; if it is left out, the erasure is proposed
     */
    record ErasureRequest(
            @NotBlank @Pattern(regexp = TEXT) @Size(max = 500)
            String reason,

            @Nullable @Pattern(regexp = TEXT) @Size(max = 64)
            String proposal) {}

    /**
     * A person, and how far the erasure is after the request.
     *
     * @param proposal the value that another person sends to agree; left out if no proposal waits
     */
    record ErasureReply(
            UserId userId, ErasureState state, @Nullable String proposal) {}

    private final EndpointCommandSender commands;

    PersonErasureEndpoint(EndpointCommandSender commands) {
        this.commands = commands;
    }

    @Operation(summary = "Erase a person", description = """
                    Erases a person. Two persons are needed. A call without `proposal` proposes the erasure and returns
                    202 PROPOSED with the id of the proposal; repeating it changes nothing. A call of another person
                    with this id as `proposal` deletes the key of the person and returns 200 ERASED. The person who
                    proposed it is refused with FORBIDDEN. If no such proposal waits, the response is 404. The id of the
                    proposal is also shown with what is kept about the person.

                    After the erasure nobody can read addresses and reasons any more, unless a backup still has the key.
                    Awards, draws and bans stay. An award for which no invoice was sent yet must be claimed again. If
                    nothing about the person was ever encrypted, the response is 404.""")
    @ApiResponse(responseCode = "202", description = "Accepted")
    @ApiResponse(responseCode = "200", description = "OK")
    @DeleteMapping("/api/v1/users/{userId}/person")
    ResponseEntity<ErasureReply> erasePerson(@PathVariable UserId userId, @Valid @RequestBody ErasureRequest form) {
        ErasureProgress now = commands.send(new ErasePerson(userId, form.reason(), form.proposal()))
                .orThrow();
        HttpStatus status = now.state() == ErasureState.PROPOSED ? HttpStatus.ACCEPTED : HttpStatus.OK;
        return ResponseEntity.status(status).body(new ErasureReply(userId, now.state(), now.proposal()));
    }
}
