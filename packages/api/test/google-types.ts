/**
 * Types that the Places API (New) documents for requests (its Table A), as published in February 2026, without
 * cuisines, offices, areas and a few more: a type that is not among them makes a whole request fail.
 */
export const DOCUMENTED_TYPES: ReadonlySet<string> = new Set(
  `
    academic_department accounting adventure_sports_center airport amphitheatre
    amusement_center amusement_park aquarium arena art_gallery art_museum art_studio
    asian_grocery_store athletic_field atm auditorium auto_parts_store bakery bank
    banquet_hall bar barbecue_area barber_shop beach beautician beauty_salon
    bed_and_breakfast beer_garden bicycle_store bike_sharing_station bistro book_store
    botanical_garden bowling_alley brewery brewpub bridge buddhist_temple
    budget_japanese_inn building_materials_store bus_station bus_stop business_center
    butcher_shop cafe cafeteria cake_shop campground camping_cabin candy_store car_dealer
    car_rental car_repair car_wash casino castle catering_service cell_phone_store cemetery
    child_care_agency childrens_camp chiropractor chocolate_shop church city_hall city_park
    clothing_store cocktail_bar coffee_roastery coffee_shop comedy_club
    community_center concert_hall confectionery convenience_store convention_center
    corporate_office cosmetics_store cottage courthouse coworking_space
    cultural_center cultural_landmark cycling_park dance_hall deli dental_clinic dentist
    department_store dessert_shop diner discount_store discount_supermarket doctor dog_park
    donut_shop drugstore ebike_charging_station educational_institution
    electric_vehicle_charging_station electrician electronics_store embassy
    employment_agency event_venue extended_stay_hotel farm farmers_market farmstay
    fast_food_restaurant ferris_wheel ferry_terminal fire_station fishing_pier
    fitness_center flea_market florist food_court food_delivery food_store foot_care
    fountain funeral_home furniture_store garden garden_center gas_station gastropub
    general_hospital general_store gift_shop go_karting_venue golf_course government_office
    grocery_store guest_house gym hair_care hair_salon hardware_store health_food_store
    heliport hiking_area hindu_temple historical_landmark historical_place history_museum
    home_goods_store home_improvement_store hospital hostel hotel hypermarket ice_cream_shop
    ice_skating_rink indoor_playground inn insurance_agency international_airport
    internet_cafe irish_pub island japanese_inn jewelry_store juice_shop karaoke kebab_shop
    lake laundry lawyer library light_rail_station liquor_store live_music_venue
    local_government_office locksmith lodging lounge_bar manufacturer marina market massage
    massage_spa meal_delivery meal_takeaway medical_center medical_clinic medical_lab
    miniature_golf_course mobile_home_park monument mosque motel mountain_peak movie_rental
    movie_theater moving_company museum nail_salon national_park nature_preserve
    neighborhood_police_station night_club noodle_shop observation_deck off_roading_area
    opera_house paintball_center painter park park_and_ride parking parking_garage
    parking_lot pastry_shop performing_arts_theater pet_boarding_service pet_care pet_store
    pharmacy philharmonic_hall physiotherapist picnic_ground pizza_restaurant planetarium
    playground plaza plumber police post_office preschool primary_school private_guest_room
    pub public_bath public_bathroom race_course ranch real_estate_agency research_institute
    resort_hotel rest_stop restaurant river roller_coaster roofing_contractor rv_park
    salad_shop sandwich_shop sauna scenic_spot school sculpture secondary_school
    shinto_shrine shipping_service shoe_store shopping_mall skateboard_park ski_resort
    skin_care_clinic snack_bar spa sporting_goods_store sports_activity_location sports_bar
    sports_club sports_coaching sports_complex sports_school sportswear_store stable stadium
    state_park steak_house storage store subway_station supermarket supplier swimming_pool
    synagogue tailor tanning_studio taxi_service taxi_stand tea_house tea_store
    telecommunications_service_provider television_studio tennis_court thrift_store
    tire_shop tour_agency tourist_attraction tourist_information_center toy_store
    train_station tram_stop transit_depot transit_station transit_stop travel_agency
    truck_dealer truck_stop university veterinary_care video_arcade vineyard visitor_center
    warehouse_store water_park wedding_venue wellness_center wholesaler wildlife_park
    wildlife_refuge wine_bar winery womens_clothing_store woods yoga_studio zoo
  `
    .trim()
    .split(/\s+/),
);
