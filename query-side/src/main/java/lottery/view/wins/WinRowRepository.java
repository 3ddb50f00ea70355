package lottery.view.wins;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface WinRowRepository extends Repository<WinRow, String> {

    Optional<WinRow> findById(String awardRecordId);

    @Query("""
            select win from WinRow win
            where win.activityId = :activityId and win.userId = :userId
            order by win.wonAt desc, win.awardRecordId desc""")
    List<WinRow> newest(long activityId, String userId, Limit limit);

    /** Compares the pair in the order of the index, so that the page begins where the previous one ended. */
    @Query("""
            select win from WinRow win
            where win.activityId = :activityId and win.userId = :userId
            and (win.wonAt, win.awardRecordId) < (:wonAt, :awardRecordId)
            order by win.wonAt desc, win.awardRecordId desc""")
    List<WinRow> newestBefore(long activityId, String userId, Instant wonAt, String awardRecordId, Limit limit);
}
