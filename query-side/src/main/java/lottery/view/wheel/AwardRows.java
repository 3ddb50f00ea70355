package lottery.view.wheel;

import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface AwardRows extends Repository<AwardRow, AwardKey> {

    /** Awards with the same place are in the order of their ids, so that the wheel looks alike each time. */
    @Query("""
            select award from AwardRow award
            where award.key.strategyId = :strategyId and award.key.version = (
                select max(newest.key.version) from AwardRow newest where newest.key.strategyId = :strategyId)
            order by award.sort, award.key.awardId""")
    List<AwardRow> newest(long strategyId);
}
