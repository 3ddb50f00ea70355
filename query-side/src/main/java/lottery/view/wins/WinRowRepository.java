package lottery.view.wins;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;

/** Reads the wins of a user. The queries are in SQL, because HQL is parsed twice during a start. */
interface WinRowRepository extends Repository<WinRow, String> {

    Optional<WinRow> findById(String awardRecordId);

    @NativeQuery("""
            SELECT * FROM view_win
            WHERE activity_id = :activityId AND user_id = :userId
            ORDER BY won_at DESC, award_record_id DESC LIMIT :limit""")
    List<WinRow> newest(long activityId, String userId, int limit);

    /** Compares the pair in the order of the index, so that the page begins where the previous one ended. */
    @NativeQuery("""
            SELECT * FROM view_win
            WHERE activity_id = :activityId AND user_id = :userId
            AND (won_at, award_record_id) < (:wonAt, :awardRecordId)
            ORDER BY won_at DESC, award_record_id DESC LIMIT :limit""")
    List<WinRow> newestBefore(long activityId, String userId, Instant wonAt, String awardRecordId, int limit);
}
