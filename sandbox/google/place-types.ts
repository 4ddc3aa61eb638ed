// Names of Table A of the Places API, as far as anybody here would ask for them; all else is refused.

const TABLE_A = new Set(
  [
    "car_dealer car_rental car_repair car_wash electric_vehicle_charging_station gas_station",
    "parking parking_garage parking_lot rest_stop corporate_office farm art_gallery museum",
    "performing_arts_theater library school university park zoo stadium cinema movie_theater",
    "tourist_attraction visitor_center bakery bar cafe coffee_shop restaurant fast_food_restaurant",
    "public_bath public_bathroom locality country postal_code city_hall police post_office atm bank",
    "hospital pharmacy doctor dentist hotel hostel lodging campground church mosque synagogue",
    "laundry storage book_store clothing_store convenience_store department_store",
    "electronics_store grocery_store hardware_store market shopping_mall store supermarket",
    "fitness_center gym swimming_pool airport bus_station bus_stop ferry_terminal heliport",
    "international_airport light_rail_station park_and_ride subway_station taxi_stand",
    "train_station transit_depot transit_station truck_stop administrative_area_level_1",
    "administrative_area_level_2 bike_sharing_station tram_stop dental_clinic veterinary_care",
    "fire_station pub night_club ice_cream_shop butcher_shop home_improvement_store shoe_store",
    "cell_phone_store florist drugstore bicycle_store hair_salon barber_shop motel guest_house",
    "bed_and_breakfast tourist_information_center observation_deck picnic_ground primary_school",
    "secondary_school preschool child_care_agency community_center embassy courthouse hindu_temple",
    "water_park sports_complex playground beach castle monument cemetery",
  ]
    .join(" ")
    .split(" "),
);

const SINCE_2026 = new Set(["parking_garage", "parking_lot"]);

/** The names that a deployment does not know. */
export const unknownTypes = (names: readonly string[], old: boolean): string[] =>
  names.filter((name) => !TABLE_A.has(name) || (old && SINCE_2026.has(name)));
